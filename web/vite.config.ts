import { defineConfig } from 'vitest/config';

// The page is served below a token with a strict content security policy: URLs are relative and nothing is inlined.
export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 1200,
  },
  worker: { format: 'es' },
  test: { include: ['unit/**/*.test.ts'] },
});
