// Unity calls these around every test. They lie in an archive: a test file that defines its own is served
// first.
void setUp(void);
void tearDown(void);
void setUp(void) {}
void tearDown(void) {}
