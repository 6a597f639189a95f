import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'

interface OutboxMail {
  to: string
  subject: string
  text: string
  /** Path and query of the link in it, for the client's router; empty without a link. */
  link: string
  token: string
}

/** Bodies are plain or quoted-printable. */
function parseOutboxMail(eml: string): OutboxMail {
  const end = eml.indexOf('\n\n')
  const head = eml.slice(0, end).replace(/\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(head)?.[1] ?? ''
  const body = eml.slice(end + 2)
  const quoted = /quoted-printable/i.test(field('Content-Transfer-Encoding'))
  const text = quoted ? fromQuotedPrintable(body) : body
  const link = /https?:\/\/[^/\s]+(\/\S+)/.exec(text)?.[1] ?? ''
  return {
    to: field('To'),
    subject: field('Subject'),
    text,
    link,
    token: new URLSearchParams(link.split('?')[1]).get('token') ?? '',
  }
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

export async function readMailsTo(dataDir: string, email: string): Promise<OutboxMail[]> {
  const outbox = join(dataDir, 'outbox')
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const letters = await Promise.all(
    names.map(async (name) => parseOutboxMail(await readFile(join(outbox, name), 'utf8'))),
  )
  return letters.filter(({ to }) => to === email)
}

export function waitForMail(dataDir: string, email: string, count = 1): Promise<OutboxMail> {
  return vi.waitUntil(
    async () => {
      const letters = await readMailsTo(dataDir, email)
      return letters.length >= count ? letters.at(-1) : undefined
    },
    { timeout: 180_000, interval: 50 },
  )
}
