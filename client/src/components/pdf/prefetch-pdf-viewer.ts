import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

export async function prefetchPdfViewer(): Promise<void> {
  if (!document.head.querySelector(`link[href="${workerUrl}"]`)) {
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.href = workerUrl
    document.head.append(link)
  }
  await import('./PdfPages.tsx')
}
