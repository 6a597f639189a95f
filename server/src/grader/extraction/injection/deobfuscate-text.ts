/** Letters of other scripts that look like Latin ones, and Latin ones in fancy dress that NFKC does not undo. */
const lookAlikes: Record<string, string> = Object.fromEntries(
  [
    ['аӓӑ', 'a'],
    ['АΑ', 'A'],
    ['ВΒ', 'B'],
    ['сϲ', 'c'],
    ['СϹ', 'C'],
    ['ԁ', 'd'],
    ['еєҽ', 'e'],
    ['ЕΕ', 'E'],
    ['ɡ', 'g'],
    ['һ', 'h'],
    ['НΗ', 'H'],
    ['іıɩι', 'i'],
    ['ІΙ', 'I'],
    ['ј', 'j'],
    ['ЈͿ', 'J'],
    ['кκ', 'k'],
    ['КΚ', 'K'],
    ['ӏ', 'l'],
    ['м', 'm'],
    ['МΜ', 'M'],
    ['пո', 'n'],
    ['Ν', 'N'],
    ['оοσօ', 'o'],
    ['ОΟ', 'O'],
    ['рρ', 'p'],
    ['РΡ', 'P'],
    ['ԛ', 'q'],
    ['г', 'r'],
    ['ѕ', 's'],
    ['Ѕ', 'S'],
    ['тτ', 't'],
    ['ТΤ', 'T'],
    ['υս', 'u'],
    ['νѵ', 'v'],
    ['ԝѡ', 'w'],
    ['хχ', 'x'],
    ['ХΧ', 'X'],
    ['уγ', 'y'],
    ['УΥ', 'Y'],
    ['Ζ', 'Z'],
  ].flatMap(([alike = '', plain = '']) => [...alike].map((letter) => [letter, plain])),
)
const leetspeakDigits: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

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
