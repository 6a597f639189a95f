import { expect, it } from 'vitest'
import { ProviderStates } from './provider-state.ts'

const provider = { provider: 'openai-compatible' as const, base_url: 'https://models.school.example/v1' }

/** `told` is what went from one to the other. */
function twoProcesses() {
  let ahead = 0
  const now = () => 1_000_000 + ahead
  const told: string[] = []
  const all: ProviderStates[] = []
  for (const self of [0, 1])
    all.push(
      new ProviderStates(now, (name, change) => {
        told.push(JSON.stringify([name, change]))
        all[1 - self]?.learn(name, change)
      }),
    )
  const breakers = all.map((states) => states.stateOf(provider, 'a secret key').circuitBreaker)
  const [one, other] = breakers
  if (!one || !other) throw new Error('two processes')
  const waits = (breaker: typeof one) => {
    try {
      breaker.acquire('The model').cancelled()
      return 0
    } catch (error) {
      return (error as { retryAfterMs: number }).retryAfterMs
    }
  }
  const later = (ms: number) => {
    ahead += ms
  }
  return { all, one, other, told, waits, later }
}

it('lets a provider alone in all processes once it has failed one, and asks it again in all once it answers', () => {
  const { one, other, told, waits, later } = twoProcesses()
  for (let i = 0; i < 4; i++) one.acquire('The model').failed()
  expect([waits(one), waits(other)]).toEqual([15_000, 15_000])
  later(16_000)
  other.acquire('The model').succeeded()
  expect([waits(one), waits(other)]).toEqual([0, 0])
  // Closed, not half-open: several may ask at once.
  const permits = [one.acquire('The model'), one.acquire('The model')]
  for (const permit of permits) permit.succeeded()
  expect(told.join()).not.toMatch(/secret|school/)
})

it('waits everywhere as long as the provider asked one to', () => {
  const { one, other, waits, later } = twoProcesses()
  one.acquire('The model').failed(60_000)
  expect([waits(one), waits(other)]).toEqual([60_000, 60_000])
  later(1_000)
  other.allowProbe()
  expect([waits(one), waits(other)]).toEqual([0, 0])
})

it('keeps nothing of a provider that was never asked here', () => {
  const { all } = twoProcesses()
  all[0]?.learn('another', { kind: 'opened', ms: 1000, openMs: 1000 })
  const same = { ...provider, base_url: 'https://other.example/v1' }
  expect(() => all[0]?.stateOf(same, 'a secret key').circuitBreaker.acquire('The model').cancelled()).not.toThrow()
})
