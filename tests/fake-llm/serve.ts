/**
 * `node scripts/serve-fake.mjs fake-llm [--provider=anthropic] [--port=3000] [--by-hand]`: Assay with its demo on an
 * empty database, and the fake LLM on the next port.
 */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import { endTogether, startServerProcess } from '../../server/src/testing/server-process.ts'
import { firstAdminPassword } from '../fake-lms/fake-lms.ts'
import { startFakeLlm } from './fake-llm.ts'
import { passConnectionTest } from './pass-connection-test.ts'

const folder = fileURLToPath(new URL('../../data/model', import.meta.url))
const key = 'sk-fake-0123456789'

const { values } = parseArgs({
  options: {
    provider: { type: 'string', default: 'openai-compatible' },
    port: { type: 'string', default: '3000' },
    'by-hand': { type: 'boolean', default: false },
  },
})
const provider = LlmProvider.exclude(['offline']).safeParse(values.provider).data
const port = Number(values.port)
if (!provider || !(port > 0 && port < 65_535)) {
  console.error(
    'usage: node scripts/serve-fake.mjs fake-llm [--provider=openai|anthropic|google|openai-compatible] [--port=3000] [--by-hand]',
  )
  process.exit(2)
}

/** Each provider's SDK accepts it for structured output. */
const name = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  'openai-compatible': 'fake',
}[provider]

const model = await startFakeLlm({ port: port + 1, latencyMs: 300, idempotency: true, key })
await rm(folder, { recursive: true, force: true })
await passConnectionTest(model)
const product = await startServerProcess(folder, {
  PORT: String(port),
  DEMO: 'on',
  ...(!values['by-hand'] && {
    AI_PROVIDER: provider,
    AI_MODEL: name,
    AI_BASE_URL: model.baseUrlOf(provider),
    AI_API_KEY: key,
    AI_PRICE_INPUT: '1',
    AI_PRICE_OUTPUT: '4',
  }),
})

endTogether(product, () => model.stop())

console.log(`
  Assay        ${product.url}      administrator: admin, ${await firstAdminPassword(folder)}
  Fake LLM     ${model.url}      protocol ${provider}; ${values['by-hand'] ? 'enter it as administrator, under AI model:' : 'Assay grades with it already'}
               address ${model.baseUrlOf(provider)}, model ${name}, key ${key}

  To simulate failures, from another terminal:
  curl ${model.url}/control/script -d '[{"do": "error", "status": 429, "headers": {"retry-after": "20"}, "times": 3}]'
  curl ${model.url}/control/settings -d '{"mode": "gullible", "latencyMs": 2000}'
  curl ${model.url}/control/counts
  More: tests/fake-llm/README.md
  Ctrl+C ends both and deletes their data.
`)
