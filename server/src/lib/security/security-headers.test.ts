import { expect, it } from 'vitest'
import { frameAncestorsDirective } from './security-headers.ts'

it('lets nothing into the policy that would begin a rule of its own', () => {
  const bad = ['https://a.example;script-src *', 'https://a.example, https://b.example', 'https://a.example x']
  expect(frameAncestorsDirective(['https://lms.example:8443', ...bad])).toBe("'self' https://lms.example:8443")
  expect(frameAncestorsDirective(bad)).toBe("'none'")
})
