import { html } from '../../../../lib/http/html.ts'

/** Where the platform keeps data for tools: its frame there, the origin that answers, and the name our entry has. */
export interface PlatformStorage {
  frame: string
  origin: string
  key: string
}

const storageAttributes = ({ frame, origin, key }: PlatformStorage) =>
  html`data-frame="${frame}" data-origin="${origin}" data-key="${key}"`

/**
 * Finds out, in a frame, which way there is to know this browser again when the LMS sends it back; before the LMS is asked, since
 * some answer once. The script goes on by itself; without one, or where neither cookies nor the LMS's storage serve, a new window does.
 */
export const loginCheckBody = (page: {
  /** The LMS's own address for this login. */
  onwardUrl: string
  windowUrl: string
  storage: (PlatformStorage & { secret: string }) | null
}) => html`
<div data-door="login" data-onward="${page.onwardUrl}"
  ${page.storage && html`${storageAttributes(page.storage)} data-secret="${page.storage.secret}"`}>
<p class="wait" role="status">Opening Assay …</p>
<section class="ways">
<h1>Open Assay in a new window</h1>
<p>This browser keeps nothing for Assay inside another site’s page, so it cannot be opened here.</p>
<p><a class="button" href="${page.windowUrl}" target="_blank" rel="noopener">Open in a new window</a></p>
</section>
<section class="opened" hidden tabindex="-1">
<h1>Assay is open in another window</h1>
<p>You can go on working there, and come back to this page at any time. To open Assay again, reload this page.</p>
</section>
</div>`

/** Asks the platform's storage for what was kept there at the login, and sends it along with what the LMS posted. */
export const storageCheckBody = (page: { storage: PlatformStorage; fields: Record<string, string> }) => html`
<div data-door="launch" ${storageAttributes(page.storage)}>
<p class="wait" role="status">Opening Assay …</p>
<noscript><p>Assay needs JavaScript. Switch it on in your browser, then open Assay from the course again.</p></noscript>
<form method="post" action="/lti/launch" hidden>
${Object.entries(page.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="secret" value="">
</form>
</div>`
