import { readFileSync } from 'node:fs'
import type { Response } from 'express'
import { Html, html } from '../../../../lib/http/html.ts'
import { hashOf } from '../../../../lib/security/hash-of.ts'
import { type Framing, frameAncestorsDirective, setXFrameOptions } from '../../../../lib/security/security-headers.ts'

/** Written into the page: each further file would be waited for. The page's policy names it by its hash. */
export interface PageScript {
  code: Html
  hash: string
}

export const pageScript = (code: string): PageScript => ({ code: new Html(code), hash: hashOf(code, 'base64') })
export const readPageScript = (file: URL): PageScript => pageScript(readFileSync(file, 'utf8'))

const style = readFileSync(new URL('./lti-page.css', import.meta.url), 'utf8')
const styleHash = hashOf(style, 'base64')

interface Page {
  title: string
  body: Html
  /** Anyone only where the page acts on nothing and shows nothing personal. */
  framing: Framing
  script?: PageScript
  /** The only origin its forms may post to: our own, or an LMS's. */
  formsTo?: string
}

/** URLs here may carry secrets: they are neither cached nor sent on as a referrer. */
const noStoreHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

export const redirectPrivately = (response: Response, status: 302 | 303, address: string): void =>
  response.set(noStoreHeaders).redirect(status, address)

/** Loads nothing but its font. */
export function sendPage(response: Response, { title, body, framing, script, formsTo }: Page): void {
  const policy = [
    "default-src 'none'",
    ...(script ? [`script-src 'sha256-${script.hash}'`] : []),
    `style-src 'sha256-${styleHash}'`,
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${formsTo ?? "'none'"}`,
    `frame-ancestors ${frameAncestorsDirective(framing)}`,
  ]
  response.set({
    'Content-Security-Policy': policy.join('; '),
    ...noStoreHeaders,
    // Without a referrer the form is posted with `Origin: null`, which an LMS may refuse.
    ...(formsTo ? { 'Referrer-Policy': 'strict-origin' } : {}),
  })
  setXFrameOptions(response, framing)
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Assay</title>
<style>${new Html(style)}</style>
${script && html`<script>${script.code}</script>`}
</head>
<body>
<main>
<p class="brand">Assay</p>
${body}
</main>
</body>
</html>`
  response.type('html').send(text)
}
