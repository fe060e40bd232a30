import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

const files = {
  'orders.csv': 'id,customer_id,amount\n1,1,10\n2,2,20\n3,1,30\n',
  'customers.csv': 'id,city,password\n1,Seoul,x1y2z3\n2,Busan,x1y2z3\n',
};

const opener = (v) => v.page.getByRole('button', { name: new RegExp(`^${v.say('물을 대상', 'What to ask')}`) });
const dialogOf = (v) => v.page.getByRole('dialog', { name: v.say('무엇에 대해 물을까요', 'What to ask') });

async function browse(v) {
  await opener(v).click();
  const dialog = dialogOf(v);
  await dialog.getByRole('searchbox').waitFor();
  return dialog;
}

async function asks(v, question, turns) {
  const sent = v.page.waitForRequest((request) => request.url().endsWith('/runs/stream'));
  await v.ask(question);
  const { input } = (await sent).postDataJSON();
  await v.counts(v.turns, turns);
  await v.settled();
  return { input, turn: v.turns.last() };
}

async function sqlOf(v, turn) {
  await v.tab('SQL', 'SQL', turn).click();
  return turn.locator('pre').first().innerText();
}

walk('a person looks at tables, gives one a word, and asks with it', async ({ browser, lang }) => {
  const server = await Server.start({ tables: files });
  const v = await Visitor.come(browser, server.url, lang, { colorScheme: lang === 'ko' ? 'dark' : 'light' });
  const question = v.say('구매는 몇 건이야?', 'How many purchases are there?');
  const before = await asks(v, question, 1);
  assert.equal(before.input.about, undefined, 'nothing was chosen');
  assert.equal(await v.tab('SQL', 'SQL', before.turn).count(), 0, 'the word is not known');

  const dialog = await browse(v);
  await v.accessible('the tables');
  await v.shoot(`tables-${lang}`);
  await v.fits(360);
  await v.open1280();
  // A table is found by its columns, too, and half a word is enough.
  const search = dialog.getByRole('searchbox');
  await search.fill('cit');
  await v.counts(dialog.locator('li'), 1);
  await dialog.locator('[data-table=customers]').click();
  await dialog.getByText('Busan, Seoul').waitFor();
  await dialog.getByText(v.say('숨긴 열: password.', 'Hidden: password.')).waitFor();
  assert.doesNotMatch(await dialog.innerText(), /x1y2z3/, 'no value of a hidden column');
  await v.button('모든 테이블', 'All tables', dialog).click();
  await dialog.locator('[data-table=orders]').click();

  // Words are written with the keyboard alone; what can't be a word is refused where it stands.
  await v.button('orders 고치기', 'Edit orders', dialog).press('Enter');
  const about = dialog.getByLabel(v.say('설명', 'Description'), { exact: true });
  const words = dialog.getByLabel(new RegExp(`^${v.say('다른 이름', 'Synonyms')}`));
  await v.page.waitForFunction(() => document.activeElement?.id.endsWith('-about'));
  await v.page.keyboard.type(v.say('사람들이 산 것', 'What people bought'));
  await words.fill('!!');
  await words.press('Enter');
  await dialog.getByText(v.say('글자나 숫자가 있는', 'words with letters or digits')).waitFor();
  await v.accessible('words that were refused');
  await words.fill(v.say('구매, 구매, 사들인 것', 'purchases, Purchases, buys'));
  await words.press('Enter');
  await dialog.getByText(v.say('orders: 저장했습니다.', 'orders is saved.')).waitFor();
  assert.equal(await about.count(), 0, 'the form is closed');
  await v.button('amount 고치기', 'Edit amount', dialog).click();
  await words.fill(v.say('매상', 'turnover'));
  // Escape closes the form and not the dialog.
  await v.page.keyboard.press('Escape');
  assert.equal(await words.count(), 0);
  await v.button('amount 고치기', 'Edit amount', dialog).click();
  await words.fill(v.say('매상', 'turnover'));
  await v.button('저장', 'Save', dialog).click();
  await dialog.getByText(v.say('amount: 저장했습니다.', 'amount is saved.')).waitFor();
  await v.accessible('the columns of a table');
  await v.shoot(`table-columns-${lang}`);
  await v.fits(360);
  await v.open1280();
  const text = readFileSync(join(server.folder, 'duru/tables/shop.toml'), 'utf8');
  assert.match(text, lang === 'ko' ? /nouns = \["구매", "사들인 것"\]/ : /nouns = \["purchases", "buys"\]/);
  assert.match(text, lang === 'ko' ? /\[table.orders.column.amount\]\s+nouns = \["매상"\]/ : /\[table.orders.column.amount\]\s+nouns = \["turnover"\]/);
  await v.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // The next question is read with them.
  const after = await asks(v, question, 2);
  assert.match(await sqlOf(v, after.turn), /FROM\s+"?orders/);
  const sum = await asks(v, v.say('구매의 매상 합계', 'total turnover of purchases'), 3);
  assert.match(await sqlOf(v, sum.turn), /sum\("?(orders"?\."?)?amount/i);

  // And taken back again.
  await browse(v);
  await dialog.locator('[data-table=orders]').click();
  await v.button('orders 고치기', 'Edit orders', dialog).click();
  await words.fill('');
  await v.button('저장', 'Save', dialog).click();
  await dialog.getByText(v.say('orders: 저장했습니다.', 'orders is saved.')).waitFor();
  await v.button('되돌리기', 'Undo', dialog).click();
  await dialog.getByText(v.say('orders: 되돌렸습니다.', 'orders is as it was.')).waitFor();
  await dialog.getByText(v.say('구매, 사들인 것', 'purchases, buys')).waitFor();
  await v.leave();
  await server.end();
});

walk('a person chooses what is asked, and the choice goes with the question', async ({ browser, lang }) => {
  const server = await Server.start({ tables: files });
  const v = await Visitor.come(browser, server.url, lang);
  let dialog = await browse(v);
  await dialog.getByRole('checkbox', { name: v.say('orders에 묻기', 'Ask orders') }).check();
  await v.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.match(await opener(v).innerText(), /orders$/);
  const one = await asks(v, v.say('orders는 몇 건이야?', 'How many orders are there?'), 1);
  assert.deepEqual(one.input.about, { source: 'shop', tables: ['orders'] });
  assert.match(await sqlOf(v, one.turn), /FROM\s+"?orders/);
  // It is still chosen after a reload; what was not chosen is not asked.
  await v.page.reload();
  await v.counts(v.turns, 1);
  await v.page.waitForFunction(() => /orders$/.test(document.querySelector('.pick.about')?.innerText ?? ''));
  const other = await asks(v, v.say('customers는 몇 명이야?', 'How many customers are there?'), 2);
  assert.deepEqual(other.input.about, { source: 'shop', tables: ['orders'] });
  assert.equal(await v.tab('SQL', 'SQL', other.turn).count(), 0, 'another table is not there');
  // Two tables of one source, never of two; then the logs, then whatever fits.
  dialog = await browse(v);
  await dialog.getByRole('checkbox', { name: v.say('customers에 묻기', 'Ask customers') }).check();
  assert.equal(await dialog.getByRole('checkbox', { checked: true }).count(), 2);
  await dialog.getByRole('checkbox', { name: v.say('logs에 묻기', 'Ask logs') }).check();
  assert.equal(await dialog.getByRole('checkbox', { checked: true }).count(), 1);
  await v.button('로그 전체', 'All of Logs', dialog).click();
  await v.page.keyboard.press('Escape');
  const logs = await asks(v, v.say('최근 7일 레벨별 로그 수', 'number of logs by level in the last 7 days'), 3);
  assert.deepEqual(logs.input.about, { source: 'logs' });
  assert.match(await sqlOf(v, logs.turn), /FROM logs/);
  dialog = await browse(v);
  await v.button('맞는 것 모두', 'Whatever fits', dialog).click();
  await v.page.keyboard.press('Escape');
  const all = await asks(v, v.say('orders는 몇 건이야?', 'How many orders are there?'), 4);
  assert.equal(all.input.about, undefined);
  assert.match(await sqlOf(v, all.turn), /FROM\s+"?orders/);
  await v.button('새 대화', 'New conversation').click();
  const fresh = await asks(v, v.say('customers는 몇 건이야?', 'How many customers are there?'), 1);
  assert.equal(fresh.input.about, undefined);
  assert.match(await sqlOf(v, fresh.turn), /FROM\s+"?customers/);
  await v.leave();
  await server.end();
});

walk('whoever may not describe tables sees why, and what others change is not overwritten', async ({ browser, lang }) => {
  const server = await Server.start({ tables: files });
  const v = await Visitor.come(browser, server.url, lang);
  const dialog = await browse(v);
  await dialog.locator('[data-table=orders]').click();
  await v.button('orders 고치기', 'Edit orders', dialog).click();
  const words = dialog.getByLabel(new RegExp(`^${v.say('다른 이름', 'Synonyms')}`));
  await words.fill('mine');
  await fetch(`${server.url}/tables/orders`, { method: 'PATCH', body: JSON.stringify({ synonyms: ['theirs'] }) });
  await v.button('저장', 'Save', dialog).click();
  await dialog.getByText(v.say('그 사이에 다른 사람이 고쳤습니다', 'Somebody else has changed this meanwhile')).waitFor();
  await v.button('취소', 'Cancel', dialog).click();
  await dialog.getByText('theirs').waitFor();
  await v.button('모든 테이블', 'All tables', dialog).click();
  await dialog.locator('[data-table=logs]').click();
  await dialog.getByText(v.say('제품에 들어 있습니다', 'part of the product')).waitFor();
  assert.equal(await v.button('level 고치기', 'Edit level', dialog).count(), 0);
  await v.leave();
  // A key that only asks, and only one table.
  const key = JSON.parse(server.command('keys', 'add', 'asker', '--tables', 'orders', '--json')).key;
  // The server looks for new keys now and then; until it has, nobody is asked for one.
  while ((await fetch(`${server.url}/tables`)).status !== 401) await new Promise((done) => setTimeout(done, 100));
  const w = await Visitor.come(browser, server.url, lang);
  await w.page.getByRole('dialog').getByLabel(w.say('API 키', 'API key')).fill(key);
  await w.page.keyboard.press('Enter');
  const seen = await browse(w);
  await w.counts(seen.locator('li'), 1);
  await seen.locator('[data-table=orders]').click();
  await seen.getByText(w.say('curate 권한이 필요합니다', 'needs the scope curate')).waitFor();
  assert.equal(await w.button('orders 고치기', 'Edit orders', seen).count(), 0);
  await w.leave();
  await server.end();
});
