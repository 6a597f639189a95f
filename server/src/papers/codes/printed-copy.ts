import type { FoundPageCode } from './find-page-code.ts'

export interface CopyToPrint {
  copyId: string
  /** Printed on each page; may be empty. */
  name: string
  label: string
}

export interface PrintOptions {
  /** An empty page after a copy with an odd number of pages, so that the next begins on a sheet of its own. */
  doubleSided: boolean
}

/** `toSheet` maps from points of the file's page as shown, from its top left. */
export interface PageCodeOfFile extends FoundPageCode {
  filePage: number
}

/** Of one PDF: more than a printer takes paper for, and as many as fit the memory of a child process. */
export const MOST_PRINTED_PAGES = 3000
