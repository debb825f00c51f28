#!/usr/bin/env python3
"""One process of chang-roberts/textbook, which speaks the frames of docs/wire.md.

    chang_roberts.py --id 2 --n 3 --listen 127.0.0.1:7002 --peer 1=127.0.0.1:7001 --peer 3=127.0.0.1:7003

It runs on bare datagrams, with processes 1..n on a ring in ascending order, and
prints its leader once it knows one. With --broken it announces itself in place
of the leader that it hears of. Standard library only.
"""
import argparse
import hashlib
import socket
import struct
import time

ALGORITHM = "chang-roberts/textbook"
PARTS = ["kind ELECTION", "kind ELECTED", "Kind uint8", "ID ID"]  # of a message, in the order of its bytes
SHAPE = hashlib.sha256("".join(line + "\n" for line in ["algorithm " + ALGORITHM] + PARTS).encode()).digest()[:8]
DATA, HELLO = 1, 4
ELECTION, ELECTED = 0, 1

HEADER = struct.Struct(">4sBBBBHBBII8sQQQq")  # 60 bytes; the name of the algorithm and the body follow


class Process:
    def __init__(self, args):
        self.id, self.n, self.run, self.broken = args.id, args.n, args.run, args.broken
        self.peers = {int(i): address(a) for i, a in (p.split("=") for p in args.peer)}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(address(args.listen))
        self.socket.settimeout(0.05)
        self.incarnation = 1
        self.met = {}  # incarnation of each peer that said hello
        self.knows_us = set()  # peers that have heard our hello
        self.sequence = 0
        self.seen = set()  # names of messages that came; a network copies
        self.begun, self.early = False, []  # what came before all were met, who could not have been answered
        self.participating, self.leader = False, 0

    # The wire.

    def frame(self, kind, to, sequence=0, body=b""):
        name = ALGORITHM.encode()
        size = HEADER.size + len(name) + len(body)
        return HEADER.pack(b"ILVE", 1, kind, 0, len(name), size, self.id, to, self.incarnation, self.met.get(to, 0),
                           SHAPE, self.run, sequence, 0, time.time_ns()) + name + body

    def hello(self, to):
        ring = ",".join(str(i + 1) for i in range(self.n))
        settings = f"ring {ring}; delta 100ms; datagrams true"
        self.socket.sendto(self.frame(HELLO, to, body=settings.encode()), self.peers[to])

    def send(self, kind, candidate):
        self.sequence += 1
        following = self.id % self.n + 1
        self.socket.sendto(self.frame(DATA, following, self.sequence, bytes([kind, candidate])), self.peers[following])

    def receive(self, frame):
        magic, version, kind, _, length, size, sender, to, incarnation, acked, shape, run, sequence, _, _ = HEADER.unpack_from(frame)
        if (magic, version, to, shape, run, size) != (b"ILVE", 1, self.id, SHAPE, self.run, len(frame)):
            return
        if kind == HELLO:
            self.met[sender] = incarnation
            if acked == self.incarnation:
                self.knows_us.add(sender)
            else:
                self.hello(sender)
        elif kind == DATA and acked == self.incarnation and (sender, incarnation, sequence) not in self.seen:
            self.seen.add((sender, incarnation, sequence))
            body = frame[HEADER.size + length:]
            if self.begun:
                self.handle(body[0], body[1])
            else:
                self.early.append(body)

    # The algorithm.

    def notice(self):
        if not self.participating and not self.leader:
            self.participating = True
            self.send(ELECTION, self.id)

    def handle(self, kind, candidate):
        if kind == ELECTED:
            self.participating = False
            if candidate != self.id:
                self.follow(candidate)
                self.send(ELECTED, self.id if self.broken else candidate)
        elif candidate == self.id:
            self.participating = False
            self.follow(self.id)
            self.send(ELECTED, self.id)
        elif candidate > self.id:
            self.participating = True
            self.send(ELECTION, candidate)
        elif not self.participating:
            self.participating = True
            self.send(ELECTION, self.id)

    def follow(self, leader):
        self.leader = leader
        print(leader, flush=True)

    def loop(self):
        greeted = 0.0
        while True:
            if time.monotonic() - greeted > 0.1:
                greeted = time.monotonic()
                for peer in self.peers:  # to the end: who has met us may not know that we have met him
                    self.hello(peer)
            if not self.begun and len(self.knows_us) == len(self.met) == self.n - 1:
                self.begun = True
                self.notice()
                for body in self.early:
                    self.handle(body[0], body[1])
            try:
                self.receive(self.socket.recv(1200))
            except TimeoutError:
                pass


def address(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, required=True)
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--run", type=int, default=1)
    parser.add_argument("--listen", required=True)
    parser.add_argument("--peer", action="append", required=True)
    parser.add_argument("--broken", action="store_true")
    Process(parser.parse_args()).loop()


if __name__ == "__main__":
    main()
