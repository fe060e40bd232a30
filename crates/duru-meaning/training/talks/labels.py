"""What the sums of a conversation are, what may be asked for, and how labelled conversations are written."""

import glob
import os
import random
import re
from dataclasses import dataclass

# The roles of sums, in the order of the weights; the first is for what no money is.
ROLES = """Number Price Resale Deposit MonthlyRent Loan Debt Income Budget Prior OtherDeposits Official YearlyRepayment YearlyInterest
LoanPayments MonthlyRepayment Gain PaidDown Middle MonthlyCosts Extra Expense Gift EarlierGift Estate Arrears Fee Payment Spared
Old Other""".split()

# Marked so, a number is no sum of money.
NUMBERS = "Rate ConversionRate Years Months LentShare SaleShare".split()

# What may be asked for, in the order of the weights. Again: what was worked out before, with what is said now.
ASKS = """Again Repayment LoanLimit Ltv OwedShare Dsr Dti DsrYear DsrLimit DsrRoom TotalInterest PaymentDifference BreakEvenMonths
PrepayFee Interest YearOfInterest JeonseRatio Claims Auction Insurable ConvertedDeposit Conversion RentAfter AsRent ImpliedRate
Increase RentShare RentTotal MonthlyTotal YearOfRent RentOrLoan BreakEven NetRent RentCredit Arrears DepositLeft Threshold
Brokerage WithTax AcquisitionTax CapitalGains PropertyTax ComprehensiveTax Registration TaxOfPrice GiftTax GiftInterest
InheritanceShare InheritanceTax OwnPart CashNeeded DownPayment Forfeit Invested Yield Gain GainByYear SaleLeft LeftOfLoan Halves
Difference Sum RenewalWindow NoticeEnds FilingGains FilingGift FilingAcquisition FilingDeal FilingInheritance YearsLeft""".split()

MARK = re.compile(r"\{([^|{}]+)\|(\w+)\}")


@dataclass
class Turn:
    """What somebody says: stretches of text, each with its role or None, and what is asked for."""

    stretches: list
    asks: list

    def plain(self):
        return "".join(text for text, _ in self.stretches)


def turn_of(line):
    marked, asks = line.rstrip("\n").split(" => ")
    # The program reads small letters; names of roles are not of the text.
    marked = MARK.sub(lambda mark: "{%s|%s}" % (mark[1].lower(), mark[2]), "".join(part if part.startswith("{") else part.lower() for part in re.split(r"(\{[^{}]*\})", marked)))
    stretches, at = [], 0
    for mark in MARK.finditer(marked):
        if mark.start() > at:
            stretches.append((marked[at : mark.start()], None))
        stretches.append((mark[1], mark[2]))
        at = mark.end()
    if at < len(marked):
        stretches.append((marked[at:], None))
    for _, role in stretches:
        assert role is None or role in ROLES or role in NUMBERS, role
    asks = [ask for ask in asks.split() if ask != "-"]
    assert all(ask in ASKS for ask in asks), asks
    return Turn(stretches, asks)


def conversations(folder):
    """All labelled conversations; lines that are not written as they should be are passed over."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        own = []
        with open(path, encoding="utf8") as file:
            for line in [*file, ""]:
                if line.strip():
                    try:
                        own.append(turn_of(line))
                    except (ValueError, AssertionError):
                        continue
                elif own:
                    found.append(own)
                    own = []
    return found


def split(all_of_them, part=12):
    """Those to learn from and those to measure with, always the same for the same conversations."""
    order = all_of_them[:]
    random.Random(5).shuffle(order)
    return order[len(order) // part :], order[: len(order) // part]
