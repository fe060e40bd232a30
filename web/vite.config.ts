import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

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
    proxy: Object.fromEntries(
      ['/ok', '/info', '/assistants', '/threads', '/runs', '/store', '/documents', '/memory', '/drafts'].map((path) => [
        path,
        process.env['DURU_URL'] ?? 'http://127.0.0.1:2024',
      ]),
    ),
  },
});
