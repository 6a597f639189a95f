import { changePassword, registerStudent, signIn } from '@assay/shared/auth.ts'
import { expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

// As the product starts; other tests hash at the lowest cost.
const { api } = useTestApi({}, { passwordCost: undefined })

it('hashes passwords as OWASP recommends, also those of accounts whose stored hash was made otherwise', async () => {
  const password = 'Some-Good-7-Phrase'
  const storedHash = async (username: string) => (await UserModel.findOne({ username }).lean())?.password_hash
  const recommended = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/
  await api.nobody.send(registerStudent, { body: { username: 'hashed', email: 'hashed@school.example', password } })
  expect(await storedHash('hashed')).toMatch(recommended)
  expect((await api.nobody.send(signIn, { body: { username: 'hashed', password } })).status).toBe(200)

  const earlier = await buildPerson('student')
  expect(await storedHash(earlier.username)).not.toMatch(recommended)
  expect((await api.nobody.send(signIn, { body: earlier })).status).toBe(200)
  await api.as(earlier).send(changePassword, { body: { current_password: earlier.password, new_password: password } })
  expect(await storedHash(earlier.username)).toMatch(recommended)
})
