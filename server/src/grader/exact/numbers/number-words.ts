import words from './number-words.json' with { type: 'json' }

const TENS = words.tens
const VALUES = new Map(Object.entries(words.small))
const SCALES = new Map(Object.entries(words.scales))
const PARTS = new Map(Object.entries(words.parts))
const SMALL = [...VALUES.keys()].join('|')
const SCALE = [...SCALES.keys()].join('|')
const PART = [...PARTS.keys()].join('|')
/** “twenty-five”, “two hundred and six thousand”, “a million”, “twentyfive”. “The one” is no number. */
const CARDINAL = new RegExp(
  String.raw`(?<![\p{L}\d])(?<!\b(?:the|this|that|which|each|no|any|every|other|right|correct)\s)((?:${SMALL})|an?(?=[\s-]+(?:${SCALE})\b))(?:(?:[\s-]+|(?<=${TENS.join('|')})|(?<=${SCALE})s?\s+and\s+)(?:${SMALL})\b|[\s-]+(?:${SCALE})s?\b)*(?![\p{L}])`,
  'giu',
)

/** “twenty-five” is 25, “minus five” −5, “three quarters” 3/4, “two and a half” 2 1/2. */
export function digitsForWords(text: string): string {
  if (!/[a-z]{2}/i.test(text)) return text
  return (
    text
      .replace(/\b(an?|one|half an?|half)\s+dozen\b/gi, (all) => (/half/i.test(all) ? '6' : '12'))
      .replace(
        /\b(an?|one|\d+)\s+(\p{L}{3,})\s+and\s+a\s+half\b/giu,
        (_, count, unit) => `${Number(count) || 1}.5 ${unit}`,
      )
      .replace(/\bthe (?=(?:number|value) )/gi, '')
      .replace(CARDINAL, (words) => (sumOf(words) ?? words).toString())
      .replace(
        /(\d)\s+point\s+((?:\d\s*)+)/gi,
        (_, whole: string, digits: string) => `${whole}.${digits.replace(/\s/g, '')}`,
      )
      .replace(
        new RegExp(
          String.raw`\b(?:(\d+)|an?)[\s-]+(${PART})(s?)\b(?![\s-]+(?:past|to|life|reaction|equation)\b)`,
          'gi',
        ),
        (all, count: string | undefined, part: string, plural: string, at: number, whole: string) => {
          const bottom = PARTS.get(part.toLowerCase())
          // “3 quarter notes” are three.
          return bottom && (plural !== '' || Number(count ?? 1) === 1 || /^\W*$/.test(whole.slice(at + all.length)))
            ? `${count ?? 1}/${bottom}`
            : all
        },
      )
      .replace(
        /(?<![\p{L}-])half(?![\s-]*(?:past|life|reaction|equation|\p{L}*-)|\p{L})(?:\s+of|\s+an?(?=\s))?(?=\s+(?:an?\s+)?\p{L}|\W*$)/giu,
        '1/2',
      )
      .replace(/(\d+)\s+and\s+(\d+\/\d+)/gi, '$1 $2')
      .replace(/(\d+)\s+over\s+(\d+)/gi, '$1/$2')
      // A chance of 1 in 2.
      .replace(/(?<![\d.])(\d+)\s+(?:in|out\s+of)\s+(\d+)(?=\W*$|\W*\n)/gi, '$1/$2')
      .replace(/\b(?:minus|negative)\s+(?=[\d.])/gi, '-')
      .replace(/\b(?:plus|positive)\s+(?=[\d.])/gi, '+')
      .replace(/\bper\s?cent\b/gi, 'percent')
  )
}

function sumOf(words: string): number | null {
  let total = 0
  let group = 0
  let last = Number.POSITIVE_INFINITY
  for (const word of words.toLowerCase().match(/[a-z]+/g) ?? []) {
    for (const part of parted(word)) {
      const scale = SCALES.get(part.replace(/s$/, ''))
      const value = /^an?$/.test(part) ? 1 : VALUES.get(part)
      if (scale !== undefined) {
        if (scale === 100) group *= 100
        else {
          total += group * scale
          group = 0
        }
        last = scale
      } else if (value !== undefined) {
        // “five six” are two numbers, “twenty five” is one.
        if (value >= last || (last < 20 && last !== 0)) return null
        group += value
        last = value
      } else if (part !== 'and') return null
    }
  }
  return total + group
}

function parted(word: string): string[] {
  const tens = TENS.find((ten) => word.startsWith(ten) && word.length > ten.length)
  return tens ? [tens, word.slice(tens.length)] : [word]
}
