// Run by mongosh against the first member (docker/compose.many.yaml).
db.getSiblingDB('admin').auth('root', process.env.ROOT_PASSWORD)
try {
  rs.status()
  print('It is a replica set already.')
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error
  const members = [1, 2, 3].map((number) => ({ _id: number, host: `mongodb-${number}:27017` }))
  rs.initiate({ _id: 'assay', members })
  while (!db.hello().isWritablePrimary) sleep(500)
  print('The replica set has a primary.')
}
