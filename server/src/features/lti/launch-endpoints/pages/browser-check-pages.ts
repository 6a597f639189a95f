import { html } from '../../../../lib/http/html.ts'
import { readPageScript } from './send-page.ts'

/** Of both pages. */
export const browserCheckScript = readPageScript(new URL('./browser-check-page.js', import.meta.url))

/** The frame, the origin that answers, and the entry's key. */
export interface PlatformStorage {
  frame: string
  origin: string
  key: string
}

const storageAttributes = ({ frame, origin, key }: PlatformStorage) =>
  html`data-frame="${frame}" data-origin="${origin}" data-key="${key}"`

/**
 * Finds how to recognise this browser on return: by cookie, LMS storage or a new window, which needs no scripts. Before
 * the redirect, since some LMSs accept the login hint only once.
 */
export const loginCheckBody = (page: {
  onwardUrl: string
  windowUrl: string
  storage: (PlatformStorage & { secret: string }) | null
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

/** Posts the secret from the platform's storage with the LMS's form. */
export const storageCheckBody = (page: { storage: PlatformStorage; fields: Record<string, string> }) => html`
<div data-step="launch" ${storageAttributes(page.storage)}>
<p class="wait" role="status">Opening Assay …</p>
<noscript><p>Assay needs JavaScript. Turn it on in your browser, then open Assay from the course again.</p></noscript>
<form method="post" action="/lti/launch" hidden>
${Object.entries(page.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="secret" value="">
</form>
</div>`
