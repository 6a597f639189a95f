import type { Line } from '@assay/shared/papers.ts'

const invisibleCharacters =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/gu
const latinJoiners = /(?<=[\p{Script=Latin}\p{N}\s]|^)[\u200c\u200d]+|[\u200c\u200d]+(?=[\p{Script=Latin}\p{N}\s]|$)/gu
/** Tags are invisible copies of ASCII; variation selectors can carry bytes. */
const tagCharacters = /[\u{e0020}-\u{e007e}]{2,}/gu
const variationSelectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu

/** Text encoded by invisible characters becomes a hidden line of its own. */
export function stripInvisibleCharacters(line: Line): Line[] {
  const decoded = [...line.text.matchAll(tagCharacters)]
    .map(([run]) => [...run].map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join(''))
    .concat([...line.text.matchAll(variationSelectors)].map(([run]) => decodeVariationSelectors(run)))
    .filter((text) => /[\p{L}\p{N}]{2}/u.test(text))
  const text = line.text.replace(invisibleCharacters, '').replace(latinJoiners, '')
  if (text === line.text) return [line]
  const visible = text.replace(/\s+/g, ' ').trim()
  const { cells: _, ...plain } = line
  return [
    ...(visible === '' ? [] : [{ ...plain, text: visible }]),
    ...decoded.map((hidden) => ({ ...plain, text: hidden, hidden: 'invisible' as const })),
  ]
}

function decodeVariationSelectors(run: string): string {
  const bytes = [...run].map((letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00
  })
  return Buffer.from(bytes).toString('utf8')
}
