import { PaperError, type PaperErrorCode } from '../paper-error.ts'

type PictureProblem =
  | 'not_picture'
  | 'damaged'
  | 'not_sheet'
  | 'too_many_pixels'
  | 'moving'
  | 'empty'
  | 'too_long'
  | 'too_much_memory'

const messages: Record<PictureProblem, string> = {
  not_picture: 'This is not a JPEG, PNG, WebP or HEIC picture. Take a photo, or choose another file.',
  damaged: 'This picture is damaged or was cut off, and cannot be opened. Take the photo again.',
  not_sheet: 'These corners do not make a sheet. Move them to the corners of the paper, or use the whole picture.',
  too_many_pixels: 'This picture has more pixels than can be used. Take it with at most 50 megapixels (25 in HEIC).',
  moving: 'This is a moving picture. Choose a photo that does not move.',
  empty: 'This file is empty. Choose the picture again.',
  too_long: 'Opening this picture took too long, so it was stopped. Take the photo again with fewer pixels.',
  too_much_memory: 'This picture needs too much memory to open. Take the photo again with fewer pixels.',
}

const isPictureProblem = (code: string): code is PictureProblem => Object.hasOwn(messages, code)

export function pictureError(problem: PictureProblem, options?: ErrorOptions): PaperError {
  return new PaperError(problem satisfies PaperErrorCode, messages[problem], options)
}

export function asPictureError(error: unknown): unknown {
  if (!(error instanceof PaperError) || !isPictureProblem(error.code)) return error
  return pictureError(error.code, { cause: error })
}
