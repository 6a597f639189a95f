export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (one) => escapes[one] ?? one)

type Part = Html | string | number | null | undefined | false | readonly Part[]

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  return Array.isArray(part) ? part.map(render).join('') : escaped(String(part))
}

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, piece, i) => text + render(parts[i - 1]) + piece))
}

export function selfPosting(action: string, fields: Record<string, string>, method = 'post'): Html {
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Opening…</title>
<body><form id="pass-on" action="${action}" method="${method}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<noscript><button>Go on</button></noscript></form>
<script>document.getElementById('pass-on').submit()</script></body></html>`
}

export function failedPage(reason: string): Html {
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><title>This did not work</title>
<body><h1>This did not work</h1><p>${reason}</p></body></html>`
}
