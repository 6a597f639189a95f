import { createServer, type Socket } from 'node:net'

interface Manners {
  /** Recipients it never answers about. */
  holds?: (recipient: string) => boolean
  /** Whether it rejects every sign-in. */
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
