export interface PaperLimits {
  pages: number
  /** Per file: what one database document holds, ten times what anyone writes by hand. */
  lines: number
  characters: number
  megabytes: number
  /** Of CPU, so that a busy machine fails no paper: for opening the file or for one page. */
  secondsPerPage: number
  /** Of CPU, for a whole file. */
  secondsPerPaper: number
  /** Resident, of each child: two, and one that draws pages, must leave the server room in 2 GB. */
  childMegabytes: number
  /** Millions, of a page image or an image within a page. */
  megapixels: number
  idleSeconds: number
}

export const defaultPaperLimits: PaperLimits = {
  pages: 200,
  lines: 60_000,
  characters: 3_000_000,
  megabytes: 100,
  secondsPerPage: 60,
  secondsPerPaper: 900,
  childMegabytes: 600,
  megapixels: 16,
  idleSeconds: 20,
}
