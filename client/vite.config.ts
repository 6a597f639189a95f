import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundlerRuntimeInEntry } from './build/bundler-runtime.ts'
import { chunks, divideSharedModules } from './build/chunks.ts'
import { compressedFiles } from './build/compressed-files.ts'
import { contractWithoutSchemas } from './build/contract-without-schemas.ts'
import { inlineFirstData } from './build/inline-first-data.ts'
import { pageFiles } from './build/page-files.ts'
import { pdfjsFiles } from './build/pdfjs-files.ts'

const root = import.meta.dirname
const server = process.env.ASSAY_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root,
  plugins: [
    contractWithoutSchemas(root),
    inlineFirstData(root),
    react(),
    pdfjsFiles(),
    divideSharedModules(),
    bundlerRuntimeInEntry(),
    pageFiles(root),
    compressedFiles(),
  ],
  server: { port: 5173, proxy: { '/api': { target: server, ws: true }, '/socket.io': { target: server, ws: true } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The page's CSP allows files only, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    chunkSizeWarningLimit: 700,
  },
})
