import { visibleText } from '@assay/shared/rules/text.ts'

const MAX_LENGTH = 80

/** What mail programs turn into links: with a scheme, an @, “www.”, or a host name with a path. */
const LINK = /\S*(?:@|:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}[/:?#])\S*/giu

/**
 * A name somebody typed, as it may stand in a mail to others: one line of at most 80 characters, without addresses or
 * links. A mail of ours with a stranger's words and link in it would be a phisher's.
 */
export function mailedName(name: string, fallback = ''): string {
  const line = visibleText(name.normalize('NFKC'))
    // The ideographic full stop separates the parts of a host name too.
    .replace(/。/g, '.')
    .replace(LINK, ' ')
    // “evil.example” would be a link, “evil. example” is none.
    .replace(/([\p{L}\p{N}])\.(?=\p{L}{2,})/gu, '$1. ')
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
