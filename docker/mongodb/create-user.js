// Run once by MongoDB's image, on an empty database: the account that Assay uses. It may read and write its own database, and nothing else.
db.getSiblingDB('assay').createUser({
  user: 'assay',
  pwd: process.env.MONGODB_PASSWORD,
  roles: [{ role: 'readWrite', db: 'assay' }],
})
