import { startFakeModel } from '../fake-model/fake-model.ts'

/** `node slow-model.ts MS`: a fake model that takes so long over an answer; says where it listens. */
const model = await startFakeModel({ latencyMs: Number(process.argv[2]), idempotency: true })
console.log(model.url)
