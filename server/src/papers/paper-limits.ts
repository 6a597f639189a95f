/** How much one PDF may cost before it is given up. */
export interface PaperLimits {
  /** Pages in a file. */
  pages: number
  /** Lines in a file, and letters: as much as one stored document holds, and ten times what anyone writes by hand. */
  lines: number
  characters: number
  /** Size of a file. */
  megabytes: number
  /** Wall-clock seconds for one step: opening the file, or one page. */
  secondsPerPage: number
  /** Wall-clock seconds for a whole file. */
  secondsPerPaper: number
  /** Resident memory of one child process. Two of them and the server have to stay under 2 GB. */
  childMegabytes: number
  /** Pixels of a page image, or of a picture within a page, in millions. */
  megapixels: number
  /** A child that had nothing to do for so long goes away, and its memory with it. */
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
