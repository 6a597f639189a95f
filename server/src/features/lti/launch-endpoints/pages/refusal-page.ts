import type { Response } from 'express'
import { html } from '../../../../lib/http/html.ts'
import { ANYONE, type Framing } from '../../../../lib/security/security-headers.ts'
import { sendPage } from './send-page.ts'

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
