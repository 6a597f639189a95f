import { html } from '../../../../lib/http/html.ts'

/** An entry in the platform's storage for tools: the frame, the origin that answers, and the entry's key. */
export interface PlatformStorage {
  frame: string
  origin: string
  key: string
}

const storageAttributes = ({ frame, origin, key }: PlatformStorage) =>
  html`data-frame="${frame}" data-origin="${origin}" data-key="${key}"`

/**
 * Finds out, inside a frame, how this browser can be recognised when the LMS sends it back: by a cookie, the LMS's storage, or else
 * in a new window. Before the redirect to the LMS, since some accept the login hint once. Without scripts the new window is offered.
 */
export const loginCheckBody = (page: {
  /** The LMS's authorization endpoint with this login's parameters. */
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

/** Reads the secret that the login put into the platform's storage, and posts it with the LMS's form. */
export const storageCheckBody = (page: { storage: PlatformStorage; fields: Record<string, string> }) => html`
<div data-step="launch" ${storageAttributes(page.storage)}>
<p class="wait" role="status">Opening Assay …</p>
<noscript><p>Assay needs JavaScript. Turn it on in your browser, then open Assay from the course again.</p></noscript>
<form method="post" action="/lti/launch" hidden>
${Object.entries(page.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="secret" value="">
</form>
</div>`
