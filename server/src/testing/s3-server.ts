/// <reference path="./s3rver.d.ts" />
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'

export interface TestS3 {
  env: Record<string, string>
  endpoint: string
  requests: string[]
  fail(which: (method: string, url: string) => boolean): void
  recover(): void
  age(key: string, when: Date): Promise<void>
  keys(): Promise<string[]>
  stop(): Promise<void>
}

const BUCKET = 'papers'
const OBJECT = '._S3rver_object'

const listening = async (server: Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const PAGE_SIZE = 2

/** So that every test turns pages: the server's own paging wants a cipher that Node no longer has. */
function pageOf(xml: string, after: string): string {
  const keyOf = (contents: string) => /<Key>(.*?)<\/Key>/.exec(contents)?.[1] ?? ''
  const left = (xml.match(/<Contents>.*?<\/Contents>/gs) ?? []).filter((contents) => keyOf(contents) > after)
  const shown = left.slice(0, PAGE_SIZE)
  const token = `<NextContinuationToken>${keyOf(shown.at(-1) ?? '')}</NextContinuationToken>`
  return xml
    .replace(/<Contents>.*<\/Contents>/s, shown.join(''))
    .replace('<IsTruncated>false</IsTruncated>', (whole) =>
      left.length > PAGE_SIZE ? `<IsTruncated>true</IsTruncated>${token}` : whole,
    )
}

export async function startS3(prefix = ''): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'assay-s3-'))
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    // It leaves out the slash that the SDK signs after the name of a bucket.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await s3.run()
  const requests: string[] = []
  let fails: (method: string, url: string) => boolean = () => false
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    requests.push(`${method} ${url}`)
    if (fails(method, url)) {
      incoming.resume()
      outgoing.writeHead(503).end()
      return
    }
    const address = new URL(url, 'http://s3')
    const after = address.searchParams.get('continuation-token') ?? ''
    if (after) address.searchParams.delete('continuation-token')
    const path = after ? address.pathname + address.search : url
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      if (reply.statusCode === 200 && address.searchParams.has('list-type')) {
        text(reply).then((xml) => outgoing.end(pageOf(xml, after)))
        return
      }
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  const endpoint = `http://127.0.0.1:${await listening(proxy)}`
  const folder = join(directory, BUCKET)
  const names = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(OBJECT) && !name.includes('uploads/'))
  return {
    env: {
      FILES_URL: `s3://${BUCKET}/${prefix}?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    endpoint,
    requests,
    fail: (which) => {
      fails = which
    },
    recover: () => {
      fails = () => false
    },
    async age(key, when) {
      for (const name of await names()) if (name.startsWith(key)) await utimes(join(folder, name), when, when)
    },
    keys: async () => (await names()).map((name) => name.slice(0, -OBJECT.length)).sort(),
    async stop() {
      proxy.closeAllConnections()
      await new Promise((closed) => proxy.close(closed))
      s3.httpServer.closeAllConnections()
      await s3.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
