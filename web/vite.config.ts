import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Where `npm run dev` finds the API: a `geotrawl serve` on this machine.
const api = process.env.GEOTRAWL_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
