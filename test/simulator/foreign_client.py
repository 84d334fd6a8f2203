"""What librouteros makes of the simulated router: run by librouteros.test.ts with the port and one of the names below."""

import sys
from librouteros import connect
from librouteros.login import plain, token
from librouteros.query import And, Key, Or
from librouteros.exceptions import FatalError, TrapError

PORT = int(sys.argv[1])
USERS = '/ip/hotspot/user'


class Words:
    """librouteros counts characters where the protocol counts bytes, so text goes through it as one character a byte."""

    @staticmethod
    def out(text):
        return text.encode('utf-8').decode('latin-1')

    @staticmethod
    def back(text):
        return text.encode('latin-1').decode('utf-8')


def client(method=plain, password='p'):
    return connect('127.0.0.1', 'lango', password, port=PORT, login_method=method, encoding='latin-1', timeout=60)


def names(rows):
    return sorted(row['name'] for row in rows)


def refused(act):
    try:
        act()
    except TrapError as trap:
        return str(trap)
    raise AssertionError('nothing was refused')


def plain_login():
    assert list(client()('/system/identity/print')) == [{'name': 'MikroTik'}]
    assert refused(lambda: client(password='wrong')) == 'invalid user name or password (6)'


def challenge_login():
    assert list(client(token)('/system/identity/print')) == [{'name': 'MikroTik'}]
    assert refused(lambda: client(token, 'wrong')) == 'cannot log in'


def rows():
    users = client().path(USERS)
    ids = {name: users.add(name=name, comment=comment, disabled=False) for name, comment in
           [('asha', 'lango'), ('juma', 'lango'), ('boss', 'mine'), ('neema', 'mine')]}
    name, comment = Key('name'), Key('comment')
    assert names(users.select(name).where(comment == 'lango')) == ['asha', 'juma']
    assert names(users.select(name).where(comment != 'lango')) == ['boss', 'default-trial', 'neema']
    assert names(users.select(name).where(name.In('asha', 'boss', 'nobody'))) == ['asha', 'boss']
    assert names(users.select(name).where(And(comment == 'mine', name > 'boss'))) == ['neema']
    assert names(users.select(name).where(
        Or(And(comment == 'lango', name == 'juma'), name == 'boss'))) == ['boss', 'juma']
    users.update(**{'.id': ids['asha'], 'limit-uptime': '90m', 'disabled': True})
    [asha] = users.select(Key('limit-uptime'), Key('disabled')).where(name == 'asha')
    assert asha == {'limit-uptime': '1h30m', 'disabled': True}, asha
    assert refused(lambda: users.add(name='asha')) == 'failure: already have user with this name for this server'
    users.remove(ids['asha'], ids['boss'])
    assert names(users.select(name).where(comment == 'mine')) == ['neema']
    assert refused(lambda: users.remove(ids['asha'])) == 'no such item'


def following():
    api, other = client(), client()
    api.protocol.writeSentence(USERS + '/listen', '=.proplist=.id,name', '.tag=watch')
    api.protocol.writeSentence('/system/identity/print', '.tag=then')
    assert api.protocol.readSentence() == ('!re', ('.tag=then', '=name=MikroTik'))
    assert api.protocol.readSentence() == ('!done', ('.tag=then',))
    user = other.path(USERS).add(name='asha')
    assert api.protocol.readSentence() == ('!re', ('.tag=watch', '=.id=' + user, '=name=asha'))
    other.path(USERS).remove(user)
    assert api.protocol.readSentence() == ('!re', ('.tag=watch', '=.id=' + user, '=.dead=yes'))
    api.protocol.writeSentence('/cancel', '=tag=watch')
    assert api.protocol.readSentence() == ('!trap', ('.tag=watch', '=category=2', '=message=interrupted'))
    assert [api.protocol.readSentence() for _ in range(2)] == [('!done', ()), ('!done', ('.tag=watch',))]
    assert list(api('/system/identity/print')) == [{'name': 'MikroTik'}]


def text():
    users = client().path(USERS)
    comment = 'Zoë · Дом · 中文 ☕'
    users.add(name='zoe', comment=Words.out(comment))
    [zoe] = users.select(Key('comment')).where(Key('comment') == Words.out(comment))
    assert Words.back(zoe['comment']) == comment
    for length in (127, 128, 16_383, 16_384, 70_000, 2_100_000):
        users.update(**{'.id': 'zoe', 'comment': 'x' * length})
        [zoe] = users.select(Key('comment')).where(Key('name') == 'zoe')
        assert zoe['comment'] == 'x' * length, length


def pieces():
    """The router sends three bytes at a time, the replies to several commands one among the other."""
    api = client()
    tags = ['.tag=%d' % place for place in range(20)]
    for tag in tags:
        api.protocol.writeSentence('/ip/service/print', '=.proplist=name,port', tag)
    replies = {tag: [] for tag in tags}
    while not all('!done' in got for got in replies.values()):
        reply, words = api.protocol.readSentence()
        [tag] = [word for word in words if word.startswith('.tag=')]
        replies[tag].append(reply)
    assert set(map(tuple, replies.values())) == {('!re',) * 8 + ('!done',)}, replies


def quitting():
    api = client()
    try:
        list(api('/quit'))
    except FatalError as fatal:
        assert str(fatal) == 'session terminated on request'
        return
    raise AssertionError('the connection goes on')


globals()[sys.argv[2]]()
