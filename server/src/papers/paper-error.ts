export type PaperErrorCode =
  | 'not_pdf'
  | 'encrypted'
  | 'damaged'
  | 'empty'
  | 'too_many_pages'
  /** Only in rendering: the paper may be fine. */
  | 'no_such_page'
  | 'too_much_text'
  | 'too_long'
  | 'too_much_memory'
  /** The system ended each attempt, so the paper may be fine. */
  | 'machine_full'
  | 'cancelled'
  | 'not_picture'
  | 'too_many_pixels'
  | 'moving'
  | 'not_sheet'

/** Only another copy of the file helps. */
export const fileFaults: PaperErrorCode[] = [
  ...(['not_pdf', 'encrypted', 'damaged', 'empty'] as const),
  ...(['too_many_pages', 'too_much_text', 'too_long', 'too_much_memory'] as const),
]

/** The message tells a teacher what to do. */
export class PaperError extends Error {
  readonly code: PaperErrorCode

  constructor(code: PaperErrorCode, message: string = paperMessages[code], options?: ErrorOptions) {
    super(message, options)
    this.name = 'PaperError'
    this.code = code
  }
}

const paperMessages: Record<PaperErrorCode, string> = {
  not_pdf: 'This file is not a PDF. Export it as a PDF and upload it again.',
  encrypted: 'This PDF is password-protected. Save a copy without a password and upload that copy.',
  damaged:
    'This PDF is damaged and cannot be read. Open it, export it as PDF again (or print it to PDF) and upload the new file.',
  empty: 'This file is empty. Check that the right file was chosen and upload it again.',
  no_such_page: 'This page does not exist in the PDF.',
  too_many_pages: 'This PDF has too many pages. Split it and upload only the pages to be graded.',
  too_much_text:
    'This PDF has more text than can be read at once. Upload only the pages to be graded, or print them to PDF and upload that.',
  too_long:
    'Reading this PDF took too long, so it was stopped. Print it to PDF (or scan it at a lower resolution) and upload the new file.',
  too_much_memory:
    'This PDF needs too much memory to read. Print it to PDF (or scan it at a lower resolution) and upload the new file.',
  machine_full:
    'The server had too little memory to read this PDF, three times. Nothing is known to be wrong with the file: try again, or tell your administrator.',
  cancelled: 'Reading this PDF was cancelled.',
  not_picture: 'This is not a picture that can be opened.',
  too_many_pixels: 'This picture has too many pixels.',
  moving: 'This is a moving picture.',
  not_sheet: 'These corners do not make a sheet.',
}
