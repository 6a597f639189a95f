import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import type { Settings } from './behaviour.ts'
import { createRequestHandler } from './request-handler.ts'
import { ScriptedLlm } from './scripted-llm.ts'

export interface FakeLlmOptions extends Partial<Settings> {
  port?: number
}

export class FakeLlm extends ScriptedLlm {
  /** Set once it listens. */
  url = ''
  #server: Server | null = null

  constructor({ port: _, ...settings }: FakeLlmOptions = {}) {
    super(settings)
  }

  baseUrlOf(provider: LlmProvider): string {
    return `${this.url}/${provider === 'google' ? 'v1beta' : 'v1'}`
  }

  async listen(port: number): Promise<void> {
    const server = createServer(createRequestHandler(this))
    server.keepAliveTimeout = 60_000
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('the fake LLM has no port')
    this.url = `http://127.0.0.1:${address.port}`
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = null
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

export async function startFakeLlm(options: FakeLlmOptions = {}): Promise<FakeLlm> {
  const model = new FakeLlm(options)
  await model.listen(options.port ?? 0)
  return model
}
