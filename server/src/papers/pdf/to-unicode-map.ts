/** This many letters with several glyphs are suspect: more than alternate forms explain. */
const minSharedMeanings = 3
/** UTF-16 units of the longest ligature (“ffi”), plus one. */
const maxLigatureLength = 4

const hex = String.raw`<\s*([0-9a-f\s]+)>`
const single = new RegExp(String.raw`${hex}\s*${hex}`, 'gi')
const range = new RegExp(String.raw`${hex}\s*${hex}\s*(?:${hex}|\[([^\]]*)\])`, 'gi')

/** Three letters or digits have two glyphs each, or one glyph stands for a word. */
export function isSuspectToUnicodeMap(map: string): boolean {
  const shapes = new Map<string, number>()
  for (const meaning of mappedTexts(map)) {
    if (meaning.length > maxLigatureLength) return true
    if (/^[a-z0-9]$/i.test(meaning)) shapes.set(meaning, (shapes.get(meaning) ?? 0) + 1)
  }
  return [...shapes.values()].filter((count) => count > 1).length >= minSharedMeanings
}

function* mappedTexts(map: string): Generator<string> {
  for (const [, kind, body = ''] of map.matchAll(/beginbf(char|range)([\s\S]*?)endbf/g)) {
    if (kind === 'char') for (const [, , meaning = ''] of body.matchAll(single)) yield decodeUtf16Hex(meaning)
    else
      for (const [, from = '', to = '', meaning, list] of body.matchAll(range)) {
        if (list !== undefined) for (const [, one = ''] of list.matchAll(/<([^>]*)>/g)) yield decodeUtf16Hex(one)
        if (meaning === undefined) continue
        const text = decodeUtf16Hex(meaning)
        const count = Math.min(255, Number.parseInt(to, 16) - Number.parseInt(from, 16))
        for (let step = 0; step <= count; step += 1)
          yield text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + step)
      }
  }
}

function decodeUtf16Hex(digits: string): string {
  const units = digits.replace(/\s+/g, '').match(/.{4}/g) ?? []
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}
