import { stream } from './raw-pdf.ts'

/**
 * Its glyphs show one sentence and its text is another: the glyph comes from the encoding, the letter from the
 * ToUnicode map. Sentences are Latin letters and spaces.
 */
export function createMisleadingFont({ shows, says }: { shows: string; says: string }): {
  /** In hexadecimal, to be shown with `Tj`. */
  codes: string
  names: string[]
  map: string
  objects: (first: number) => (string | Buffer)[]
} {
  const length = Math.max(shows.length, says.length)
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  const places = Array.from({ length }, (_, at) => ({
    code: 33 + at,
    shape: shows[at] ?? ' ',
    meaning: says[at] ?? ' ',
  }))
  const names = places.map(({ shape }) => (shape === ' ' ? 'space' : shape))
  const entries = places.map(({ code, meaning }) => `<${hex(code, 2)}> <${hex(meaning.charCodeAt(0), 4)}>`)
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /L def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange
${entries.length} beginbfchar
${entries.join('\n')}
endbfchar endcmap end end`
  return {
    names,
    map,
    codes: places.map(({ code }) => hex(code, 2)).join(''),
    objects: (first) => [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [33 ${names.map((name) => `/${name}`).join(' ')}] >> /ToUnicode ${first + 1} 0 R >>`,
      stream('', map),
    ],
  }
}
