import { html } from '../../../../lib/http/html.ts'

interface RefusalDetails {
  message: string
  todo: string
  requestId: string
  /** For the LMS administrator. */
  details?: { fix: string; code: string; detail: string | null }
  /** Restarts the launch in a new window. */
  windowUrl?: string | null
}

export const refusalBody = ({ message, todo, requestId, details, windowUrl }: RefusalDetails) => html`
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
