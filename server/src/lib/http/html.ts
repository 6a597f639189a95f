export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]
const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => htmlEntities[mark] ?? mark)

function renderPart(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  return Array.isArray(part) ? part.map(renderPart).join('') : escapeHtml(String(part))
}

/** Escapes everything but `Html`; null and undefined become nothing. */
export function html(pieces: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return new Html(pieces.map((piece, i) => piece + renderPart(parts[i])).join(''))
}
