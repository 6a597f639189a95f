import { PDFDocument } from 'pdf-lib'

export async function joinPapers(papers: readonly Buffer[]): Promise<Buffer> {
  const joined = await PDFDocument.create({ updateMetadata: false })
  for (const paper of papers) {
    const source = await PDFDocument.load(paper)
    for (const page of await joined.copyPages(source, source.getPageIndices())) joined.addPage(page)
  }
  return Buffer.from(await joined.save())
}
