import type { MarkupFonts, Weight } from './markup-fonts.ts'

/** Lines of at most `width` points; line ends of the text stay, and a word that is wider than a line is cut. */
export function wrapText(text: string, width: number, size: number, weight: Weight, fonts: MarkupFonts): string[] {
  return text
    .split(/\r?\n/)
    .flatMap((paragraph) => wrapParagraph(paragraph.trim(), (words) => fonts.width(words, size, weight) <= width))
}

function wrapParagraph(paragraph: string, fits: (words: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of paragraph.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = cutWord(word, fits)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

function cutWord(word: string, fits: (words: string) => boolean): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const letter of word) {
    if (piece !== '' && !fits(piece + letter)) {
      pieces.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...pieces, piece]
}
