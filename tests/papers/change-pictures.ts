import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'

export async function changePictures(
  pdf: Buffer,
  page: number,
  change: (picture: PDFRawStream, document: PDFDocument) => void,
): Promise<Buffer> {
  const document = await PDFDocument.load(pdf)
  const pictures = document
    .getPage(page - 1)
    .node.Resources()
    ?.lookupMaybe(PDFName.of('XObject'), PDFDict)
  for (const key of pictures?.keys() ?? []) {
    const picture = pictures?.lookup(key)
    if (picture instanceof PDFRawStream) change(picture, document)
  }
  return Buffer.from(await document.save())
}

/** As a file that was copied while the scanner still wrote it. */
export const withoutPictureBytes = (pdf: Buffer, page: number): Promise<Buffer> =>
  changePictures(pdf, page, (picture) => Object.assign(picture, { contents: new Uint8Array() }))
