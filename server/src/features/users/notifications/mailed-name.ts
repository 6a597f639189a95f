import { visibleText } from '@assay/shared/rules/text.ts'

const MAX_LENGTH = 80

/** What mail programs turn into links: with a scheme, an @, “www.”, or a host name with a path. */
const LINK = /\S*(?:@|:\/\/|\bwww\.|[^\s.]\.[^\s.\d\p{P}][^\s.\p{P}]+[/:?#])\S*/giu

/** Not in “J.R.R.” or “1.5”, which no mail program makes a link of. */
const DOT_IN_HOST_NAME = /([^\s.])\.(?=[^\s.\d\p{P}][^\s.\p{P}])/gu

/** Without addresses or links, as a stranger's link in our mail would be phishing. At most 80 characters. */
export function mailedName(name: string, fallback = ''): string {
  const line = visibleText(name.normalize('NFKC'))
    // The ideographic full stop separates the parts of a host name too.
    .replace(/。/g, '.')
    .replace(LINK, ' ')
    // “evil.example” would be a link, “evil. example” is none. Any character may be in a host name.
    .replace(DOT_IN_HOST_NAME, '$1. ')
    .replace(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  const short =
    letters.length > MAX_LENGTH
      ? `${letters
          .slice(0, MAX_LENGTH - 1)
          .join('')
          .trim()}…`
      : line
  return short || fallback
}
