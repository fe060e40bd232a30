import { readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const names = readdirSync('tests/unit').filter((name) => name.endsWith('.test.ts'));

// Unit tests are bundled, so that Node runs what the page runs.
export default defineConfig({
  plugins: [svelte()],
  build: {
    ssr: true,
    outDir: '.unit',
    emptyOutDir: true,
    rollupOptions: {
      input: Object.fromEntries(names.map((name) => [name.replace(/\.ts$/, ''), `tests/unit/${name}`])),
      output: { entryFileNames: '[name].js' },
    },
  },
});
