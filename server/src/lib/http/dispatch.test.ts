import express from 'express'
import { expect, it } from 'vitest'
import { dispatch } from './dispatch.ts'

it('ends a reply as a server does, for the log and the metrics', async () => {
  const whole = Promise.withResolvers<boolean>()
  const app = express().get('/', (_request, response) => {
    response.once('close', () => whole.resolve(response.writableFinished))
    response.status(201).json({ long: 'x'.repeat(100_000) })
  })
  const { status, body } = await dispatch(app, { path: '/' })
  expect([status, body.length, await whole.promise]).toEqual([201, 100_011, true])
})
