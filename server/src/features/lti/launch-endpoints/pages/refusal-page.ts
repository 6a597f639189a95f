import { html } from '../../../../lib/http/html.ts'

export interface RefusalDetails {
  /** What happened. */
  said: string
  /** What whoever launched can do. */
  todo: string
  requestId: string
  /** For whoever looks after the LMS: what to mend, the code, and what exactly was wrong. */
  details?: { mend: string; code: string; detail: string | null }
  /** Begins the launch again in a new window. */
  windowUrl?: string | null
}

export const refusalBody = ({ said, todo, requestId, details, windowUrl }: RefusalDetails) => html`
<h1>Assay did not open</h1>
<p class="said">${said}</p>
<p>${todo}</p>
${windowUrl && html`<p><a class="button" href="${windowUrl}" target="_blank" rel="noopener">Open in a new window</a></p>`}
<details>
<summary>For whoever looks after the LMS</summary>
${details && html`<p>${details.mend}</p>`}
<dl>
${details && html`<dt>Reason</dt><dd>${details.code}</dd>`}
${details?.detail && html`<dt>Detail</dt><dd>${details.detail}</dd>`}
<dt>Request</dt><dd>${requestId}</dd>
</dl>
</details>`
