/**
 * Letters of other scripts that look like Latin ones, and Latin ones in fancy dress that NFKC does not undo; the last of a
 * group is the letter meant.
 */
const LOOK_ALIKES = `аӓӑa АΑA ВΒB сϲc СϹC ԁd еєҽe ЕΕE ɡg һh НΗH іıɩιi ІΙI јj ЈͿJ кκk КΚK ӏl мm МΜM пոn ΝN оοσօo ОΟO
  рρp РΡP ԛq гr ѕs ЅS тτt ТΤT υսu νѵv ԝѡw хχx ХΧX уγy УΥY ΖZ`
const lookAlikes: Record<string, string> = Object.fromEntries(
  LOOK_ALIKES.split(/\s+/).flatMap((group) => [...group.slice(0, -1)].map((letter) => [letter, group.slice(-1)])),
)
const leetspeakDigits: Record<string, string> = Object.fromEntries(
  ['0o', '1i', '3e', '4a', '5s', '7t', '@a', '$s', '!i'].map(([sign = '', letter = '']) => [sign, letter]),
)

/** One letter for one. */
export function foldLookAlikeLetter(letter: string): string {
  const alike = lookAlikes[letter]
  if (alike) return alike
  if (letter < '\u0080') return letter
  const folded = letter.normalize('NFKD').replace(/\p{M}/gu, '')
  return folded.length === 1 && folded < '\u0080' ? folded : letter
}

/** “1gn0re” with digits as letters; every letter keeps its place. */
export const undoLeetspeak = (text: string): string =>
  text.replace(
    /(?<=\p{L})[013457@$!](?=\p{L})|(?<![\p{L}\d])[013457@$](?=\p{L}{2})/gu,
    (at) => leetspeakDigits[at] ?? at,
  )

export const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

export const reverseText = (text: string): string => [...text].reverse().join('')

interface TextSpan {
  text: string
  from: number
  to: number
}

export function findSpacedOutText(text: string): TextSpan[] {
  return [...text.matchAll(/(?:(?<!\p{L})\p{L}[\s.\-_*|/·,]{1,3}){9,}\p{L}(?!\p{L})/gu)].map((match) => ({
    text: match[0].replace(/[^\p{L}]/gu, '').toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }))
}

export function findEncodedText(text: string): TextSpan[] {
  const found: TextSpan[] = []
  for (const match of text.matchAll(/[A-Za-z0-9+/]{16,}(?:\s[A-Za-z0-9+/]{8,}){0,20}={0,2}/g)) {
    const packed = match[0].replace(/\s/g, '')
    const kinds: BufferEncoding[] = /^[0-9a-f]+$/i.test(packed) ? ['hex', 'base64'] : ['base64']
    for (const kind of kinds) {
      const decoded = Buffer.from(packed, kind).toString('utf8')
      if (/^[\p{L}\p{N}\p{P}\p{Zs}\s=+<>|$]{8,}$/u.test(decoded))
        found.push({ text: decoded, from: match.index, to: match.index + match[0].length })
    }
  }
  return found
}
