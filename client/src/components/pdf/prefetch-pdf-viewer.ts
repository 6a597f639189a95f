import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** Has the PDF viewer at hand, with the worker that reads PDFs, before a paper is opened. */
export async function prefetchPdfViewer(): Promise<void> {
  if (!document.head.querySelector(`link[href="${workerUrl}"]`)) {
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.href = workerUrl
    document.head.append(link)
  }
  await import('./PdfPages.tsx')
}
