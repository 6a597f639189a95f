import type { FoundPageCode } from './find-page-code.ts'

export interface CopyToPrint {
  copyId: string
  name: string
  label: string
}

export interface PrintOptions {
  /** An empty page after an odd number, so that the next copy begins on its own sheet. */
  doubleSided: boolean
}

/** `toSheet` maps from points of the file's page, from its top left. */
export interface PageCodeOfFile extends FoundPageCode {
  filePage: number
}

/** More than a printer takes paper for, and as many as fit the memory of a child process. */
export const MOST_PRINTED_PAGES = 3000
