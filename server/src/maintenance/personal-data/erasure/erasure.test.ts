import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getMe, signIn } from '@assay/shared/auth.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { eraseUser, previewErasure } from '@assay/shared/personal-data.ts'
import mongoose from 'mongoose'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { buildPersonEverywhere } from '../../../testing/person-everywhere.ts'
import { everywhere, secretsOfPerson } from '../../../testing/person-everywhere-words.ts'
import { useTestApi } from '../../../testing/server.ts'
import { searchDatabase } from '../../../testing/stored-data.ts'
import { inventory } from '../personal-data-inventory.ts'

const { api, server } = useTestApi()

/** An erasure makes these. */
const MADE_BY_ERASURE = ['Erasure', 'RetainedGrade']
/** Instructors' and administrators' numbers, or what no test stores for a student. */
const NOT_OF_STUDENTS = [
  'Course',
  'InvitationCount',
  'RosterImport',
  'RubricGeneration',
  'RubricVersion',
  'RubricItem',
  'LtiPlatform',
  'LtiRegistrationLink',
  'PageTranscript',
  'LlmCall',
]

async function searchFolder(folder: string, words: string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name)
    if (!(await stat(file)).isFile()) continue
    const text = `${name}\n${await readFile(file, 'utf8')}`.toLowerCase()
    if (words.some((word) => text.includes(word.toLowerCase()))) found.push(`${name}: ${text.slice(0, 300)}`)
  }
  return found
}

async function modelsWith(words: string[], numbers: number[]): Promise<string[]> {
  const found: string[] = []
  for (const name of mongoose.modelNames()) {
    const texts = (await mongoose.model(name).find().lean()).map((doc) => JSON.stringify(doc).toLowerCase())
    const has = (text: string) =>
      words.some((word) => text.includes(word.toLowerCase())) ||
      numbers.some((number) => new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text))
    if (texts.some(has)) found.push(name)
  }
  return found
}

describe('a student with something in every record', () => {
  let world: Awaited<ReturnType<typeof buildPersonEverywhere>>
  let words: string[] = []
  beforeAll(async () => {
    world = await buildPersonEverywhere(api, server.running)
    words = [...secretsOfPerson, ...world.hashes]
  })

  it('is in every model that may have something of them', async () => {
    const { person, submissionId } = world
    const found = await modelsWith(words, [person.id, submissionId])
    const expected = Object.entries(inventory).flatMap(([name, { erase, kept }]) => (erase || kept ? [name] : []))
    const never = [...MADE_BY_ERASURE, ...NOT_OF_STUDENTS]
    expect(expected.filter((name) => !never.includes(name) && !found.includes(name))).toEqual([])
  })

  it('is told what is deleted and what is kept, before', async () => {
    const admin = await buildPerson('admin')
    const preview = await api.as(admin).send(previewErasure, { params: { userId: world.person.id } })
    expect(preview.body).toMatchObject({ blockers: [], papers: 1, retained_grades: 1, progress: null })
  })

  it('is nowhere once they are erased, but for what is listed', async () => {
    const { person, assignmentId, submissionId, courseId, owner, classmate, hashes } = world
    const admin = await buildPerson('admin')
    const before = await searchDatabase(secretsOfPerson)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    const session = api.as(person)
    expect((await session.send(getMe)).status).toBe(200)
    const params = { userId: person.id }
    const asked = await api.as(admin).send(eraseUser, { params, body: { username: person.username } })
    expect(asked.status, asked.text).toBe(202)
    expect((await session.send(getMe)).status).toBe(401)
    const progress = async () => (await api.as(admin).send(previewErasure, { params })).body.progress
    await expect.poll(async () => (await progress())?.state).toBe('done')

    expect(await searchDatabase(words)).toEqual({})
    const { dataDir } = server.running.services.config
    expect(await searchFolder(dataDir, words)).toEqual([])
    const withNumbers = async () => (await modelsWith([], [person.id, submissionId])).sort()
    // The audit log and the account's row keep the numbers.
    await expect
      .poll(async () => (await withNumbers()).filter((name) => inventory[name]?.erase))
      .toEqual(['Audit', 'User'])
    for (const hash of hashes) expect(await server.running.services.files.size(hash)).toBeNull()
    const signedIn = await api.nobody.send(signIn, {
      body: { username: everywhere.username, password: person.password },
    })
    expect(signedIn.status).toBe(401)

    const placeholder = (await progress())?.placeholder ?? ''
    expect(placeholder).toMatch(/^Deleted student [0-9a-f]{4,}$/)
    const kept = await mongoose.model('RetainedGrade').find().lean()
    expect(kept).toMatchObject([{ course_id: courseId, assignment_id: assignmentId, placeholder, final_score: 90 }])
    const csv = await api.as(owner).send(exportGrades, { params: { assignmentId } })
    expect(csv.text).toContain(placeholder)
    expect(csv.text).toContain(classmate.username)
    const audit = await AuditModel.find({ 'subject.user_id': person.id }).lean()
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.erased', 'user.renamed', 'student.enrolled']),
    )
  })
})
