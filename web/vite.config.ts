import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const target = process.env['DURU_URL'] ?? 'http://127.0.0.1:2024';

// What is built is committed and embedded in the binary, so a rebuild must give the same bytes.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../crates/duru-cli/assets',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
  },
  server: {
    // A page of another port is a stranger to the server, which answers to its own: in development, this one speaks for it.
    proxy: Object.fromEntries(
      ['/ok', '/info', '/assistants', '/threads', '/runs', '/store', '/documents', '/memory', '/drafts'].map((path) => [
        path,
        { target, changeOrigin: true, headers: { origin: target } },
      ]),
    ),
  },
});
