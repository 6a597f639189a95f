import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'

interface Manners {
  holds?: (recipient: string) => boolean
  /** Rejects every sign-in. */
  refuses?: boolean
}

/** Speaks just enough SMTP, on loopback. */
export async function startMailServer({ holds = () => false, refuses = false }: Manners = {}) {
  const accepted: { to: string; text: string }[] = []
  const heard: string[] = []
  const held: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    let to = ''
    let mail: string[] | null = null
    let rest = ''
    const answer = (line: string) => {
      heard.push(line)
      if (mail) {
        if (line !== '.') return void mail.push(line)
        accepted.push({ to, text: mail.join('\n') })
        mail = null
        socket.write('250 taken\r\n')
      } else if (/^EHLO/.test(line)) socket.write('250-test\r\n250 AUTH PLAIN\r\n')
      else if (/^AUTH/.test(line)) socket.write(refuses ? '535 wrong password\r\n' : '235 welcome\r\n')
      else if (/^RCPT/.test(line)) {
        to = /<(.*)>/.exec(line)?.[1] ?? ''
        if (holds(to)) held.push(to)
        else socket.write('250 ok\r\n')
      } else if (/^DATA/.test(line)) {
        mail = []
        socket.write('354 go on\r\n')
      } else socket.write(/^QUIT/.test(line) ? '221 bye\r\n' : '250 ok\r\n')
    }
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) answer(line)
    })
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    accepted,
    heard,
    held,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

interface OutboxMail {
  to: string
  subject: string
  text: string
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
