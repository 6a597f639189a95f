import { readFileSync } from 'node:fs'
import type { Request, RequestHandler, Response } from 'express'
import { Html, html } from '../../../../lib/http/html.ts'
import type { Log } from '../../../../lib/log.ts'
import { hashOf } from '../../../../lib/security/hash-of.ts'
import {
  ANYONE,
  type Framing,
  frameAncestorsDirective,
  setXFrameOptions,
} from '../../../../lib/security/security-headers.ts'
import { LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { platformOfLaunch } from '../../launches/launch.service.ts'
import { LtiRefusal } from '../../refusals.ts'
import type { PlatformStorage, PlatformStorageEntry } from '../launch-dependencies.ts'

/** Inlined to save a request; the page's policy names its hash. */
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
  /** Anyone only where the page neither acts nor shows anything personal. */
  framing: Framing
  script?: PageScript
  formsTo?: string
}

/** URLs here may carry secrets. */
const noStoreHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

export const redirectPrivately = (response: Response, status: 302 | 303, address: string): void =>
  response.set(noStoreHeaders).redirect(status, address)

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
    // An LMS may refuse `Origin: null`, which a form without a referrer sends.
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

export const browserCheckScript = readPageScript(new URL('./browser-check-page.js', import.meta.url))

const storageAttributes = ({ frame, origin, key }: PlatformStorage) =>
  html`data-frame="${frame}" data-origin="${origin}" data-key="${key}"`

/** Tries cookie, LMS storage, then a new window, before the redirect: some LMSs accept the login hint only once. */
export const loginCheckBody = (page: {
  onwardUrl: string
  windowUrl: string
  storage: PlatformStorageEntry | null
}) => html`
<div data-step="login" data-onward="${page.onwardUrl}"
  ${page.storage && html`${storageAttributes(page.storage)} data-secret="${page.storage.secret}"`}>
<p class="wait" role="status">Opening Assay …</p>
<section class="new-window">
<h1>Open Assay in a new window</h1>
<p>Your browser blocks Assay’s cookies inside the LMS page, so Assay cannot open here.</p>
<p><a class="button" href="${page.windowUrl}" target="_blank" rel="noopener">Open in a new window</a></p>
</section>
<section class="opened" hidden tabindex="-1">
<h1>Assay is open in another window</h1>
<p>Continue there. To open Assay again, reload this page.</p>
</section>
</div>`

export const storageCheckBody = (page: { storage: PlatformStorage; fields: Record<string, string> }) => html`
<div data-step="launch" ${storageAttributes(page.storage)}>
<p class="wait" role="status">Opening Assay …</p>
<noscript><p>Assay needs JavaScript. Turn it on in your browser, then open Assay from the course again.</p></noscript>
<form method="post" action="/lti/launch" hidden>
${Object.entries(page.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="secret" value="">
</form>
</div>`

interface Refusal {
  status: number
  message: string
  todo: string
  details?: { fix: string; code: string; detail: string | null }
  windowUrl?: string | null
  framing?: Framing
}

export function sendRefusedPage(response: Response, { status, framing = ANYONE, ...refusal }: Refusal): void {
  response.status(status)
  const body = refusalBody(refusal, String(response.locals.requestId))
  sendPage(response, { title: 'Assay could not be opened', body, framing })
}

const refusalBody = ({ message, todo, details, windowUrl }: Omit<Refusal, 'status'>, requestId: string) => html`
<h1>Assay could not be opened</h1>
<p>${message}</p>
<p>${todo}</p>
${windowUrl && html`<p><a class="button" href="${windowUrl}" target="_blank" rel="noopener">Open in a new window</a></p>`}
<details>
<summary>For the LMS administrator</summary>
${details && html`<p>${details.fix}</p>`}
<dl>
${details && html`<dt>Reason</dt><dd>${details.code}</dd>`}
${details?.detail && html`<dt>Detail</dt><dd>${details.detail}</dd>`}
<dt>Request</dt><dd>${requestId}</dd>
</dl>
</details>`

/** For a gateway, which knows no launch: 204 unless refused. */
export const REFUSED_PAGE_PATH = '/refused-page/:launchId'

/** Only active LMSs may frame the client, so a reload would show a blocked frame instead of the reason. */
export function refusePagesOfInactive(log: Log): RequestHandler<{ launchId: string }> {
  return async ({ params, method }, response, next) => {
    if (method !== 'GET' && method !== 'HEAD') return next()
    const refusal = await findRefusal(params.launchId).catch((error: unknown) => {
      // The client itself says that the database cannot be reached.
      log.error({ err: error }, 'a launch’s LMS could not be read')
      return null
    })
    if (!refusal) return next()
    sendRefusedPage(response, refusal.page)
  }
}

export const serveRefusedPage = async (
  { params }: Request<{ launchId: string }>,
  response: Response,
): Promise<void> => {
  const refusal = await findRefusal(params.launchId)
  if (refusal) return sendRefusedPage(response, refusal.page)
  response.status(204).set('Cache-Control', 'no-store').end()
}

/** While no LMS is active, none could frame the client. */
async function findRefusal(launchId: string): Promise<LtiRefusal | null> {
  const platform = await platformOfLaunch(launchId)
  const active = platform ? platform.status === 'active' : await LtiPlatformModel.exists({ status: 'active' })
  return active ? null : new LtiRefusal(platform?.status === 'pending' ? 'platform_pending' : 'platform_off')
}
